/* Places and names of operations: a NameLoc around a place in a file. */
#include "dialects/ir/ir_private.h"

#include <string.h>

/* The innermost place inside of locations that wrap others. */
static MlirLocation unwrap(MlirLocation location) {
  for (;;) {
    if (mlirLocationIsAName(location))
      location = mlirLocationNameGetChildLoc(location);
    else if (mlirLocationIsACallSite(location))
      location = mlirLocationCallSiteGetCallee(location);
    else
      return location;
  }
}

const char *ir_location_name(MlirLocation location) {
  if (mlirLocationIsNull(location) || !mlirLocationIsAName(location)) return NULL;
  ir_state *state = ir_state_get(mlirLocationGetContext(location));
  return ir_intern_ref(state, mlirIdentifierStr(mlirLocationNameGetName(location)));
}

/* The first place inside of a fused location; null if it has none. */
static MlirLocation first_of_fused(MlirLocation location) {
  unsigned count = mlirLocationFusedGetNumLocations(location);
  if (!count || count > 64) return (MlirLocation){NULL};
  MlirLocation parts[64];
  mlirLocationFusedGetLocations(location, parts);
  return unwrap(parts[0]);
}

bool ir_location_position(MlirLocation location, const char **file, unsigned *line, unsigned *column) {
  *file = NULL;
  *line = *column = 0;
  if (mlirLocationIsNull(location)) return false;
  location = unwrap(location);
  if (mlirLocationIsAFused(location)) location = first_of_fused(location);
  if (mlirLocationIsNull(location) || !mlirLocationIsAFileLineColRange(location)) return false;
  ir_state *state = ir_state_get(mlirLocationGetContext(location));
  *file = ir_intern_ref(state, mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)));
  *line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
  *column = (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
  return true;
}

const char *ir_location_shown_file(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return !slash || !strncmp(file, "library/", strlen("library/")) ? file : slash + 1;
}

MlirLocation ir_location_make(MlirContext context, const char *name, const char *file, unsigned line, unsigned column) {
  MlirLocation place =
      file ? mlirLocationFileLineColGet(context, ir_ref(file), line, column) : mlirLocationUnknownGet(context);
  return name ? mlirLocationNameGet(context, ir_ref(name), place) : place;
}
