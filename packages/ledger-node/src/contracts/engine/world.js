/**
 * The world a contract wakes up in. This file is not imported: the engine evaluates its text inside the
 * interpreter, once, before any contract's code. It gives a function that removes what the reference does not
 * have or what could differ between nodes, puts the built-in functions in their places, and gives the host
 * three functions: `fill` for before a contract's code runs, `textOf` and `stackOf` for an uncaught exception.
 *
 * The latter two run in a world that the contract may have rebuilt. They use only what is captured here and read
 * data properties only, and so never run a line of the contract.
 */
(function prepareWorld(builtIns, namesText) {
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, keys, preventExtensions } =
    Object;
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

  /** Indexes instead of iterators here and below: this is part of every call. */
  function freezeDeeply(object) {
    const names = keys(object);
    for (let index = 0; index < names.length; index += 1) {
      const value = object[names[index]];
      if (typeof value === 'object' && value !== null) freezeDeeply(value);
    }
    return freeze(object);
  }

  function freezeWhole(value) {
    return typeof value === 'object' && value !== null ? freezeDeeply(value) : value;
  }

  /** The values of one call: members of the namespaces, and plain names. */
  function fill(membersText, plainText) {
    const members = parse(membersText);
    for (let index = 0; index < namespaces.length; index += 1) {
      const { name, object } = namespaces[index];
      const values = members[name] ?? {};
      const names = keys(values);
      for (let at = 0; at < names.length; at += 1)
        defineFixed(object, names[at], freezeWhole(values[names[at]]));
      preventExtensions(object);
    }
    const plain = parse(plainText);
    const names = keys(plain);
    for (let index = 0; index < names.length; index += 1)
      world[names[index]] = freezeWhole(plain[names[index]]);
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
  return [fill, textOf, stackOf];
});
