/* The note of an image: for which machine, instruction set, device and graph it was made, and by
 * which compiler. Without "machine" it is for the default machine.
 *
 *   {"machine": "toy", "isa": [1, 0], "device": {"name": "toy", ...}, "graph": "0123456789abcdef", "compiler": "gnnc 0.1.0"}
 *
 * Versions are compared before anything else is read, so that a newer program is refused because of
 * its version, not because of a key that this version does not know. */
#include "isa/image/image_parts.h"

#include <elf.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char owner[] = "gnnc";
enum { NOTE_TYPE = 1 };

static uint64_t pad4(uint64_t size) {
  return (size + 3) / 4 * 4;
}

/* ---- writing ---- */

static json_t *make_json(const image *im) {
  char *device_text = device_json(&im->device), fingerprint[17];
  json_t *parsed = device_text ? json_loads(device_text, JSON_REJECT_DUPLICATES, NULL) : NULL;
  free(device_text);
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, im->graph_fingerprint);
  json_t *made = json_object();
  json_object_set_new(made, "machine", json_string(im->device.machine->name));
  json_object_set_new(made, "isa", json_pack("[ii]", im->isa_major, im->isa_minor));
  json_object_set_new(made, "device", parsed);
  json_object_set_new(made, "graph", json_string(fingerprint));
  json_object_set_new(made, "compiler", json_string(im->compiler ? im->compiler : ""));
  if (json_object_size(made) == 5) return made;
  json_decref(made);
  return NULL;
}

status image_note_make(const image *im, text *out) {
  json_t *made = make_json(im);
  char *json = made ? json_dumps(made, JSON_COMPACT) : NULL;
  json_decref(made);
  if (!json) return status_error(STATUS_CODE_memory, "the note of the image cannot be made");
  Elf64_Nhdr header = {.n_namesz = sizeof owner, .n_descsz = (Elf64_Word)strlen(json), .n_type = NOTE_TYPE};
  text_append_bytes(out, &header, sizeof header);
  text_append_bytes(out, "gnnc\0\0\0", pad4(sizeof owner));
  text_append_bytes(out, json, header.n_descsz);
  text_append_bytes(out, "\0\0\0", pad4(header.n_descsz) - header.n_descsz);
  free(json);
  return STATUS_OK;
}

/* ---- reading ---- */

/* Finds the JSON of the first note; other notes may follow. */
static status find_json(const unsigned char *data, uint64_t size, const char **json, size_t *length) {
  Elf64_Nhdr header;
  uint64_t name = pad4(sizeof owner);
  if (size < sizeof header + name)
    return status_error(STATUS_CODE_format, "it has %" PRIu64 " bytes, too few for a note", size);
  memcpy(&header, data, sizeof header);
  if (header.n_namesz != sizeof owner || memcmp(data + sizeof header, owner, sizeof owner) != 0)
    return status_error(STATUS_CODE_format, "the note's owner is not 'gnnc'");
  if (header.n_type != NOTE_TYPE)
    return status_error(STATUS_CODE_format, "the note has type %u, expected %d", header.n_type, NOTE_TYPE);
  uint64_t rest = size - sizeof header - name;
  if (header.n_descsz > rest)
    return status_error(STATUS_CODE_format, "the note has %u bytes, the section has %" PRIu64 " for them",
                        header.n_descsz, rest);
  *json = (const char *)data + sizeof header + name;
  *length = header.n_descsz;
  return STATUS_OK;
}

static status read_machine(const json_t *root, const machine **out) {
  const json_t *said = json_object_get(root, "machine");
  *out = machine_default();
  if (!said) return STATUS_OK;
  if (!json_is_string(said)) return status_error(STATUS_CODE_format, "'machine' is not a text");
  *out = machine_find(json_string_value(said), NULL);
  if (*out) return STATUS_OK;
  return status_error(STATUS_CODE_version, "the program is for machine '%s', which this version does not know",
                      json_string_value(said));
}

static status read_versions(const json_t *root, const machine *m, image *out) {
  const json_t *isa = json_object_get(root, "isa");
  const json_t *major = json_array_get(isa, 0), *minor = json_array_get(isa, 1);
  if (json_array_size(isa) != 2 || !json_is_integer(major) || !json_is_integer(minor))
    return status_error(STATUS_CODE_format, "'isa' is not [major, minor]");
  json_int_t found_major = json_integer_value(major), found_minor = json_integer_value(minor);
  if (found_major < 1 || found_major > INT32_MAX || found_minor < 0 || found_minor > INT32_MAX)
    return status_error(STATUS_CODE_format, "'isa' is [%lld, %lld], expected versions from [1, 0]",
                        (long long)found_major, (long long)found_minor);
  out->isa_major = (int32_t)found_major;
  out->isa_minor = (int32_t)found_minor;
  if (out->isa_major == m->isa_major && out->isa_minor <= m->isa_minor) return STATUS_OK;
  return status_error(STATUS_CODE_version,
                      "the program is for version %d.%d of the instruction set, this is version %d.%d", out->isa_major,
                      out->isa_minor, m->isa_major, m->isa_minor);
}

static status read_device(const json_t *root, const machine *m, image *out) {
  const json_t *found = json_object_get(root, "device");
  if (!json_is_object(found)) return status_error(STATUS_CODE_format, "'device' is not an object");
  char *json = json_dumps(found, JSON_COMPACT);
  if (!json) return status_error(STATUS_CODE_memory, "out of memory");
  status s = device_parse("device", json, strlen(json), m, &out->device);
  free(json);
  return s;
}

static status read_fingerprint(const json_t *root, image *out) {
  const char *found = json_string_value(json_object_get(root, "graph"));
  if (!found || strlen(found) != 16 || strspn(found, "0123456789abcdef") != 16)
    return status_error(STATUS_CODE_format, "'graph' is not 16 hexadecimal digits");
  out->graph_fingerprint = strtoull(found, NULL, 16);
  return STATUS_OK;
}

static status read_fields(arena *a, const json_t *root, image *out) {
  if (!json_is_object(root)) return status_error(STATUS_CODE_format, "the note is not a JSON object");
  const machine *m;
  RETURN_IF_ERROR(read_machine(root, &m));
  RETURN_IF_ERROR(read_versions(root, m, out));
  RETURN_IF_ERROR(read_device(root, m, out));
  RETURN_IF_ERROR(read_fingerprint(root, out));
  const char *compiler = json_string_value(json_object_get(root, "compiler"));
  if (!compiler) return status_error(STATUS_CODE_format, "'compiler' is not a text");
  out->compiler = arena_strdup(a, compiler);
  return STATUS_OK;
}

status image_note_read(arena *a, const unsigned char *data, uint64_t size, image *out) {
  const char *json = NULL;
  size_t length = 0;
  RETURN_IF_ERROR(find_json(data, size, &json, &length));
  json_error_t error;
  json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
  if (!root) return status_error(STATUS_CODE_format, "the note is not JSON: %s at byte %d", error.text, error.position);
  status s = read_fields(a, root, out);
  json_decref(root);
  return s;
}
