/** What every library here is asked to do: a credential of twelve attributes, of which three are shown. */

const count = 12;

export const subject = {
  id: 'did:example:holder',
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`attribute${index}`, `value ${index}`])),
};

export const shown = ['attribute1', 'attribute2', 'attribute3'];
