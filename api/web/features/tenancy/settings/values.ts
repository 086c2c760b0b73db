import type { Setting } from './declared.js';

export type Values = Readonly<Record<string, unknown>>;

export type Kind = 'flag' | 'choice' | 'number' | 'list' | 'choices' | 'secret' | 'text' | 'long text';

const getTypes = ({ schema }: Setting): readonly (string | undefined)[] => [
  ...[schema.type ?? []].flat(),
  ...(schema.anyOf ?? []).map(({ type }) => type),
];

/** Of several lines. */
const LONG = /^description$|template$/;

/** The kind of input for a setting. */
export function getKind(name: string, setting: Setting): Kind {
  const types = getTypes(setting);
  if (types.includes('boolean')) return 'flag';
  if (types.includes('array')) return setting.schema.items?.enum ? 'choices' : 'list';
  if (getChoices(setting).length > 0) return 'choice';
  if (types.includes('integer')) return 'number';
  if (setting.secret) return 'secret';
  return LONG.test(name) ? 'long text' : 'text';
}

/** The allowed values of a setting. */
export const getChoices = ({ schema }: Setting): readonly string[] => {
  const nested = (schema.anyOf ?? []) as readonly { enum?: readonly string[] }[];
  return schema.enum ?? nested.flatMap((one) => one.enum ?? []);
};

export const mayBeEmpty = (setting: Setting): boolean => getTypes(setting).includes('null');

/** The value of a setting in a record; undefined if it has none. Nested settings are stored under a shorter name. */
export function readValue(record: Values, name: string): unknown {
  const [whole = '', part] = name.split('.');
  if (part === undefined) return record[whole];
  const value = record[whole.replace(/_attributes$/, '')] as Values | null | undefined;
  return value?.[part];
}

const oneLineEnds = (text: string) => text.replaceAll('\r\n', '\n');

/** A value as a form holds it. */
export function asTyped(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : oneLineEnds(String(value));
}

/** The value of a setting in a form. */
export function typedIn(form: FormData, name: string, kind: Kind): string {
  if (kind === 'flag') return String(form.has(name));
  return oneLineEnds(kind === 'choices' ? form.getAll(name).join('\n') : String(form.get(name) ?? ''));
}

const sortLines = (text: string) => text.split('\n').toSorted().join('\n');

/** Whether two inputs of a setting are the same: chosen values have no order. */
export const isSameInput = (kind: Kind, one: string, other: string): boolean =>
  kind === 'choices' ? sortLines(one) === sortLines(other) : one === other;

/**
 * Converts the input to the request's format. Invalid numbers are sent unchanged, so that the API reports the error at
 * the field.
 */
export function asSent(typed: string, setting: Setting, kind: Kind): unknown {
  switch (kind) {
    case 'flag':
      return typed === 'true';
    case 'number':
      if (typed.trim() === '' && mayBeEmpty(setting)) return null;
      return /^-?\d{1,15}$/.test(typed.trim()) ? Number(typed) : typed;
    case 'list':
    case 'choices':
      return typed
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'choice':
      return typed === '' && mayBeEmpty(setting) ? null : typed;
    default:
      return typed;
  }
}

/** Parts of one setting are sent together, below its name. */
export function nested(sent: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of sent) {
    const [whole = '', part] = name.split('.');
    body[whole] = part === undefined ? value : { ...(body[whole] as object | undefined), [part]: value };
  }
  return body;
}
