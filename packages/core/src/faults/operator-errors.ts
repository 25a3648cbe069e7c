/**
 * What stops a node, a service or a command, and is for whoever runs it: the message says what is wrong and what to do, so
 * nobody needs a stack. The errors themselves are declared where they are thrown; who tells them needs these classes alone.
 */
export class OperatorError extends Error {}

/** A folder, a file or a setting is wrong, or the machine is not fit; its owner puts it right. */
export class SetupError extends OperatorError {}

/** What is stored is not what was written. */
export class DamageError extends OperatorError {}
