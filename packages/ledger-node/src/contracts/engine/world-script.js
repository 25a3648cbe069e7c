/**
 * The world a contract wakes up in. This file is not imported: the engine evaluates its text inside the
 * interpreter, once, before any contract's code. It gives a function that removes what the reference does not
 * have or what could differ between nodes, puts the built-in functions and a mark for each value in their places,
 * and gives the host two functions for an uncaught exception: `textOf` and `stackOf`. Before a run the host puts the
 * values in the places of the marks.
 *
 * The two run in a world that the contract may have rebuilt. They use only what is captured here and read
 * data properties only, and so never run a line of the contract.
 */
(function prepareWorld(builtIns, namesText, marksText) {
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions } = Object;
  const { apply, deleteProperty, ownKeys } = Reflect;
  const { isArray } = Array;
  const { isError } = Error;
  const { parse } = JSON;
  const hasOwn = Object.prototype.hasOwnProperty;
  const { lastIndexOf, slice } = String.prototype;
  const toText = String;
  const readStack = getOwnPropertyDescriptor(Error.prototype, 'stack').get;
  const world = globalThis;
  const textCharsMax = 1024;

  function removeNames() {
    const kept = new Set(
      `Object Array String Number Boolean Symbol BigInt RegExp JSON Map Set
       Error EvalError RangeError ReferenceError SyntaxError TypeError URIError
       parseInt parseFloat isNaN isFinite Infinity NaN undefined`.split(/\s+/),
    );
    for (const name of ownKeys(world)) if (!kept.has(name)) deleteProperty(world, name);
  }

  function removeMembers() {
    const localeBound = ['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase'];
    for (const { prototype } of [Object, Array, String, Number, BigInt]) {
      for (const name of localeBound) deleteProperty(prototype, name);
    }
    // They let code decide what an error's stack says, and what runs when one is made.
    for (const name of ['captureStackTrace', 'prepareStackTrace', 'stackTraceLimit'])
      deleteProperty(Error, name);
    for (const name of ['fileName', 'lineNumber', 'columnNumber']) deleteProperty(Function.prototype, name);
    deleteProperty(Array, 'fromAsync');
  }

  /** Function, GeneratorFunction and the two asynchronous ones turn text into code. */
  function removeCodeFromText() {
    const samples = [() => {}, function* () {}, async () => {}, async function* () {}];
    for (const sample of samples) {
      defineProperty(getPrototypeOf(sample), 'constructor', {
        value: undefined,
        writable: false,
        configurable: false,
      });
    }
  }

  /** `Chain` and `Utils`: closed when they are full. */
  const namespaces = [];

  const defineFixed = (object, name, value) => defineProperty(object, name, { value, enumerable: true });

  /** A name on its own can be declared again by the contract, as it could in the reference. */
  function placeBuiltIns() {
    const names = parse(namesText);
    for (let index = 0; index < names.length; index += 1) {
      const [first, second] = names[index].split('.');
      const builtIn = builtIns[index];
      defineProperty(builtIn, 'name', { value: second ?? first });
      freeze(builtIn);
      if (second === undefined) world[first] = builtIn;
      else defineFixed(namespaceOf(first), second, builtIn);
    }
  }

  function namespaceOf(name) {
    const found = namespaces.find((namespace) => namespace.name === name);
    if (found) return found.object;
    world[name] = {};
    namespaces.push({ name, object: world[name] });
    return world[name];
  }

  /** `Chain.msg.nonce` into an object inside of `Chain`; a plain name, and an object under one, into the world. */
  function placeMarks() {
    const inner = [];
    for (const [dotted, mark] of parse(marksText)) {
      const path = dotted.split('.');
      const last = path.pop();
      const isPlain = !namespaces.some(({ name }) => name === path[0]);
      let holder = world;
      for (const name of path) {
        if (!apply(hasOwn, holder, [name])) {
          if (isPlain && holder === world) world[name] = {};
          else defineFixed(holder, name, {});
          inner.push(holder[name]);
        }
        holder = holder[name];
      }
      if (holder === world) world[last] = mark;
      else defineFixed(holder, last, mark);
    }
    for (const object of inner) freeze(object);
    for (const { object } of namespaces) preventExtensions(object);
  }

  /** A data property of an object or of what it inherits from; an accessor counts as nothing. */
  function read(object, name) {
    for (let holder = object; holder !== null; holder = getPrototypeOf(holder)) {
      const found = getOwnPropertyDescriptor(holder, name);
      if (found !== undefined) return apply(hasOwn, found, ['value']) ? found.value : undefined;
    }
    return undefined;
  }

  const cut = (text) => apply(slice, text, [0, textCharsMax]);

  function textOfError(error) {
    const name = read(error, 'name');
    const message = read(error, 'message');
    const called = typeof name === 'string' ? cut(name) : 'Error';
    const said = typeof message === 'string' ? cut(message) : '';
    if (said === '') return called;
    // biome-ignore lint/style/useTemplate: inside, a template calls a method that the contract can replace.
    return called === '' ? said : called + ': ' + said;
  }

  function textOf(thrown) {
    if (typeof thrown === 'function') return '[object Function]';
    if (typeof thrown !== 'object' || thrown === null) return cut(toText(thrown));
    if (isError(thrown)) return textOfError(thrown);
    return isArray(thrown) ? '[object Array]' : '[object Object]';
  }

  /** Whole lines only; nothing for what is not an error. */
  function stackOf(thrown) {
    if (!isError(thrown)) return undefined;
    const stack = apply(readStack, thrown, []);
    if (typeof stack !== 'string') return '';
    return apply(slice, stack, [0, apply(lastIndexOf, cut(stack), ['\n'])]);
  }

  removeMembers();
  removeCodeFromText();
  removeNames();
  placeBuiltIns();
  placeMarks();
  return [textOf, stackOf];
});
