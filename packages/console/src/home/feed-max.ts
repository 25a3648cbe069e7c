/** So many of the newest transactions are told on the first page. */
export const feedMax = 7;
