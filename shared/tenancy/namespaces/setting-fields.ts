import type { Context } from '../../core/context/context.js';
import { visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { settingEntries } from './declared-settings.js';
import type { Declared, SettingOptions } from './declared-settings.js';

type Fields<T> = Record<string, OutField<T>>;
type Condition<T> = (record: T, ctx: Context) => boolean;
/** The row that a setting of a record is a column of. */
type Row<T> = (record: T, ctx: Context) => object;

const valueAt = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

/**
 * One condition for each pair of plan and audience: fields with the same condition are evaluated once (decision 37).
 * @param audiences the audiences that declared settings refer to
 */
function getConditions<T>(audiences: Readonly<Record<string, Condition<T>>>) {
  const conditions = new Map<string, Condition<T> | null>();
  const createCondition = ({ plan, visibleTo }: SettingOptions): Condition<T> | null => {
    const audience = visibleTo === undefined ? undefined : audiences[visibleTo];
    if (plan === undefined) return audience ?? null;
    if (!audience) return (_record, ctx) => ctx.hasPlan(plan);
    return (record, ctx) => ctx.hasPlan(plan) && audience(record, ctx);
  };
  return (options: SettingOptions) => {
    const key = `${options.plan} ${options.visibleTo}`;
    const condition = conditions.get(key) ?? createCondition(options);
    conditions.set(key, condition);
    return condition;
  };
}

/**
 * A field for each declared setting with an audience.
 * @param rows where its value is stored: in the record itself, or in its settings
 * @param audiences conditions of the audiences that settings are shown to
 */
export function settingFields<T>(
  declared: Declared,
  rows: { record: Row<T>; settings: Row<T> },
  audiences: Readonly<Record<string, Condition<T>>>,
): Fields<T> {
  const conditionOf = getConditions(audiences);
  const fields = settingEntries(declared)
    .filter(([, { options }]) => options.visibleTo !== 'nobody')
    .map(([name, one]): Fields<T> => {
      const row = one.options.inRecord ? rows.record : rows.settings;
      const field = { [name]: one.show<T>((record, ctx) => valueAt(row(record, ctx), name)) };
      const condition = conditionOf(one.options);
      return condition ? visibleIf(condition, field) : field;
    });
  return Object.assign({}, ...fields) as Fields<T>;
}

/** Sorts fields into the order that clients rely on; unlisted fields come last, in declaration order. */
export function inOrder<T>(fields: Fields<T>, order: readonly string[]): Fields<T> {
  const positions = new Map(order.map((name, index) => [name, index]));
  const getPosition = (name: string) => positions.get(name) ?? order.length;
  return Object.fromEntries(Object.entries(fields).toSorted(([one], [other]) => getPosition(one) - getPosition(other)));
}
