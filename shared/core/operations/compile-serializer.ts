import type { Context } from '../context/context.js';
import type { OutField } from './serializer.types.js';

type Show<T> = (record: T, ctx: Context) => Record<string, unknown>;
type Getter<T> = (record: T, ctx: Context) => unknown;

/**
 * One function that serializes a record: an object literal with a call for each field, so that the object has its shape
 * from the start, and a call for each condition. Its source contains field names and no user input.
 */
export function compileSerializer<T>(fields: readonly [string, OutField<T>][]): Show<T> {
  const guards = [...new Set(fields.flatMap(([, { guard }]) => guard ?? []))];
  const names = fields.map(([, { guard }], index) =>
    guard ? `guard${guards.indexOf(guard)} ? get${index}(record, ctx) : undefined` : `get${index}(record, ctx)`,
  );
  const literal = fields.map(([key], index) => `${JSON.stringify(key)}: ${names[index]}`);
  const checks = guards.map((_, index) => `const guard${index} = ask${index}(record, ctx);`);
  const bindings: [string, Getter<T>][] = [
    ...guards.map((guard, index): [string, Getter<T>] => [`ask${index}`, guard]),
    ...fields.map(([, { get, open }], index): [string, Getter<T>] => [`get${index}`, open ?? get]),
  ];
  const text = `return (record, ctx) => { ${checks.join(' ')} return { ${literal.join(', ')} }; };`;
  // oxlint-disable-next-line typescript/no-implied-eval -- names of fields are written in the sources
  const make = new Function(...bindings.map(([name]) => name), text) as (...functions: Getter<T>[]) => Show<T>;
  return make(...bindings.map(([, one]) => one));
}
