/** Values as they stand in code: on one line where that is short, and without what is secret or left open. */
import type { JsonValue } from '@symbolon/wire/json/json';
import { isSecretName } from './secret-names.ts';

/** How a language writes what is no plain value. */
export interface Style {
  readonly member: (name: string) => string;
  readonly text: (text: string) => string;
  /** By the variable of a shell that holds it. */
  readonly secret: (variable: string) => string;
  /** By the name of what is left open. */
  readonly open: (name: string) => string;
  readonly isOpen: (name: string) => boolean;
}

/** `privateKey` as a variable of a shell: `SYMBOLON_PRIVATE_KEY`. */
const variableOf = (member: string): string =>
  `SYMBOLON_${member
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`;

const lineMax = 58;

export function written(value: JsonValue, style: Style, indent = ''): string {
  if (typeof value === 'string') return style.text(value);
  if (value === null || typeof value !== 'object')
    return typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => written(item, style, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${style.member(name)}: ${memberText(name, item as JsonValue, style, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const gap = isList ? '' : ' ';
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  return line.length + indent.length <= lineMax && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

function memberText(name: string, value: JsonValue, style: Style, indent: string): string {
  // Whether there is to be a secret is none.
  if (isSecretName(name) && typeof value !== 'boolean') return style.secret(variableOf(name));
  return style.isOpen(name) ? style.open(name) : written(value, style, indent);
}
