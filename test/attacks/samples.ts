/** Small documents of the attacks. */

/** A picture of eight bytes: nothing but the beginning that says what it is. */
export const smallestPng = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00000000', 'hex').toString('base64')}`;
