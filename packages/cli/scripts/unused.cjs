// Stands in the bundle for packages that oclif loads and this program never calls. It is the logger that `debug` makes, and
// the spinner without frames that oclif sets up on a terminal.

const nothing = () => nothing;
nothing.enabled = false;
nothing.line = nothing;
nothing.dots2 = nothing;
nothing.frames = [];
module.exports = nothing;
