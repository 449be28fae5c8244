// --verify-diagnostics accepts every way to name a line, and expects notes like errors.
// RUN: gnn-opt --verify-diagnostics --split-input-file %s

// expected-error@below {{is unknown}}
func.nosuch

// -----
func.nosuch
// expected-error @above {{custom op 'func.nosuch' is unknown}}

// -----
func.nosuch // expected-error {{is unknown}}

// -----
func.nosuch

// expected-error@-2 {{is unknown}}

// -----
// expected-note@below {{see existing symbol definition here}}
func.func @f() { return }
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func @f() { return }
