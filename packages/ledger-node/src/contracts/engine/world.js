/**
 * The world a contract wakes up in. This file is not imported: the engine evaluates its text inside the
 * interpreter, once, before any contract's code. It gives a function that removes what the reference does not
 * have or what could differ between nodes, puts the built-in functions in their places, and gives two functions
 * back to the host: `fill` before a contract's code runs, `describe` after an uncaught exception.
 *
 * `describe` runs in a world that the contract may have rebuilt. It uses only what is captured here, reads data
 * properties only, and so never runs a line of the contract.
 */
(function prepareWorld(builtIns, namesText) {
  'use strict';
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
  const { apply, deleteProperty, ownKeys } = Reflect;
  const { isArray } = Array;
  const { isError } = Error;
  const { parse, stringify } = JSON;
  const { hasOwnProperty } = Object.prototype;
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
    for (const name of ['captureStackTrace', 'prepareStackTrace', 'stackTraceLimit']) deleteProperty(Error, name);
    for (const name of ['fileName', 'lineNumber', 'columnNumber']) deleteProperty(Function.prototype, name);
    deleteProperty(Array, 'fromAsync');
  }

  /** Function, GeneratorFunction and the two asynchronous ones turn text into code. */
  function removeCodeFromText() {
    const samples = [
      function () {},
      function* () {},
      async function () {},
      async function* () {},
    ];
    for (const sample of samples) {
      defineProperty(getPrototypeOf(sample), 'constructor', {
        value: undefined,
        writable: false,
        configurable: false,
      });
    }
  }

  /** As a contract's own top-level names are: it may declare the same name itself. */
  const defineGlobal = (name, value) =>
    defineProperty(world, name, { value, writable: true, enumerable: false, configurable: true });

  const namespaces = { __proto__: null };

  function placeBuiltIns() {
    const names = parse(namesText);
    for (let index = 0; index < names.length; index += 1) {
      const [first, second] = names[index].split('.');
      const builtIn = builtIns[index];
      defineProperty(builtIn, 'name', { value: second ?? first });
      freeze(builtIn);
      if (second === undefined) defineGlobal(first, builtIn);
      else (namespaces[first] ??= {})[second] = builtIn;
    }
    for (const name of keys(namespaces)) defineGlobal(name, namespaces[name]);
  }

  function freezeDeeply(value) {
    if (typeof value !== 'object' || value === null) return value;
    for (const name of keys(value)) freezeDeeply(value[name]);
    return freeze(value);
  }

  /** The values of one call, as an object of objects. */
  function fill(valuesText) {
    const values = parse(valuesText);
    for (const name of keys(values)) {
      const value = freezeDeeply(values[name]);
      const namespace = namespaces[name];
      if (namespace === undefined) defineGlobal(name, value);
      else for (const member of keys(value)) namespace[member] = value[member];
    }
    for (const name of keys(namespaces)) freeze(namespaces[name]);
  }

  /** A data property of an object or of what it inherits from; an accessor counts as nothing. */
  function read(object, name) {
    for (let holder = object; holder !== null; holder = getPrototypeOf(holder)) {
      const found = getOwnPropertyDescriptor(holder, name);
      if (found !== undefined) return apply(hasOwnProperty, found, ['value']) ? found.value : undefined;
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
    return called === '' ? said : called + ': ' + said;
  }

  function textOf(thrown) {
    if (typeof thrown === 'function') return '[object Function]';
    if (typeof thrown !== 'object' || thrown === null) return cut(toText(thrown));
    if (isError(thrown)) return textOfError(thrown);
    return isArray(thrown) ? '[object Array]' : '[object Object]';
  }

  /** Whole lines only. */
  function stackOf(error) {
    const stack = apply(readStack, error, []);
    if (typeof stack !== 'string') return '';
    return apply(slice, stack, [0, apply(lastIndexOf, cut(stack), ['\n'])]);
  }

  const describe = (thrown) =>
    stringify(isError(thrown) ? [textOf(thrown), stackOf(thrown)] : [textOf(thrown)]);

  removeMembers();
  removeCodeFromText();
  removeNames();
  placeBuiltIns();
  return [fill, describe];
});
