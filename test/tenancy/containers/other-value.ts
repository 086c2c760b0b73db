import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import type { ContainerSetting, Declared } from '../../../shared/tenancy/namespaces/declared-settings.js';

/** Numbers of which each range of a setting takes one at least. */
const NUMBERS = [3, 700, 7300, 86_500];

/** Values of a kind, by the JSON schema of a setting's parameter. */
function candidates({ type, enum: choices, items }: Record<string, unknown>): unknown[] {
  if (Array.isArray(choices)) return choices;
  const [kind] = [type].flat();
  if (kind === 'boolean') return [true, false];
  if (kind === 'integer') return NUMBERS;
  if (kind === 'array') return candidates(items as Record<string, unknown>).map((item) => [item]);
  return ['other words'];
}

/** A value of a declared setting that differs from the default of a new container. */
export function otherValue(name: string, one: ContainerSetting): unknown {
  const values = candidates({ ...one.param.meta() });
  const other = values.find(
    (value) => JSON.stringify(value) !== JSON.stringify(one.initial) && one.problem(value) === null,
  );
  if (other === undefined) throw new Error(`No value is known for ${name}.`);
  return other;
}

/** Such a value of each declared setting, by its name. */
export const otherValues = (declared: Declared): Record<string, unknown> =>
  Object.fromEntries(settingEntries(declared).map(([name, one]) => [name, otherValue(name, one)]));
