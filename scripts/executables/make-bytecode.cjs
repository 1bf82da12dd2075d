// Writes the bytecode of a script: node make-bytecode.cjs SCRIPT OUTPUT. Run by the Node.js that will use it; every module of
// the script is loaded once first, since V8 keeps what it has compiled.

const { readFileSync, writeFileSync } = require('node:fs');
const { Script } = require('node:vm');

const [, , file, output] = process.argv;
const script = new Script(readFileSync(file, 'utf8'), { filename: 'envsnap.cjs' });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, process.getBuiltinModule, module_);
const { loadMain, commands } = module_.exports;
Promise.all([loadMain(), ...Object.values(commands).map((load) => load())]).then(() => {
  writeFileSync(output, script.createCachedData());
  process.exit();
});
