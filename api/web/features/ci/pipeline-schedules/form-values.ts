import type { NewSchedule, ScheduleEdit } from './changes.js';
import type { ScheduleDetails } from './queries.js';
import { formatRef, MISSED_POLICIES } from './labels.js';
import type { MissedPolicy } from './labels.js';

/** A row of a form's variables or inputs. */
export interface ValueRow {
  /** Names the row while it is edited. */
  row: number;
  name: string;
  value: string;
  file: boolean;
  /** The stored value of this name; null for a new one. */
  stored: { value: string; file: boolean } | null;
}

/** The values of the schedule form. */
export interface ScheduleValues {
  description: string;
  /** Null until the user chooses one: the default branch. */
  ref: string | null;
  cron: string;
  zone: string;
  active: boolean;
  policy: MissedPolicy;
  variables: readonly ValueRow[];
  inputs: readonly ValueRow[];
}

const here = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The initial values for a new schedule. */
export const newValues = (): ScheduleValues => ({
  description: '',
  ref: null,
  cron: '30 2 * * *',
  zone: here(),
  active: true,
  policy: 'last',
  variables: [],
  inputs: [],
});

const getRow = (row: number, name: string, value: string, file: boolean): ValueRow => ({
  row,
  name,
  value,
  file,
  stored: { value, file },
});

/** The value of an input as it is written: text as it is, all else as JSON. */
export const inputText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A text that is JSON of a list, a number or a boolean means that; any other is itself. */
function inputValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? text : value;
  } catch {
    return text;
  }
}

export const getValues = (schedule: ScheduleDetails): ScheduleValues => ({
  description: schedule.description,
  ref: formatRef(schedule.ref),
  cron: schedule.cron,
  zone: schedule.cron_timezone,
  active: schedule.active,
  policy: schedule.missed_policy,
  variables: (schedule.variables ?? []).map(({ key, value, variable_type: type }, row) =>
    getRow(row, key, value, type === 'file'),
  ),
  inputs: schedule.inputs.map(({ name, value }, row) => getRow(row, name, inputText(value), false)),
});

const getRemoved = (before: readonly ValueRow[], now: readonly ValueRow[]): string[] =>
  before.filter(({ row }) => !now.some((other) => other.row === row)).map(({ name }) => name);

const isChanged = ({ value, file, stored }: ValueRow) => stored?.value !== value || stored.file !== file;

function changedVariables(before: ScheduleValues, now: ScheduleValues) {
  const set = now.variables
    .filter((row) => row.stored === null || isChanged(row))
    .map(({ name, value, file }) => ({
      key: name.trim(),
      value,
      variable_type: file ? ('file' as const) : ('env_var' as const),
    }));
  return [...set, ...getRemoved(before.variables, now.variables).map((key) => ({ key, destroy: true }))];
}

function changedInputs(before: ScheduleValues, now: ScheduleValues) {
  const set = now.inputs
    .filter((row) => row.stored === null || isChanged(row))
    .map(({ name, value }) => ({ name: name.trim(), value: inputValue(value) }));
  return [...set, ...getRemoved(before.inputs, now.inputs).map((name) => ({ name, destroy: true }))];
}

/** The name that is stored in full stays so: the short one may have become ambiguous. */
const getFullRef = (ref: string, stored: ScheduleDetails | null): string =>
  stored && formatRef(stored.ref) === ref ? stored.ref : ref;

const FIELDS = ['description', 'cron', 'active'] as const;

/** The request body: for an edit, only the changed values, so that concurrent changes to others are preserved. */
export function getBody(
  now: ScheduleValues,
  before: ScheduleValues,
  stored: ScheduleDetails | null,
  defaultRef: string,
): NewSchedule & ScheduleEdit {
  const isNew = stored === null;
  const inputs = changedInputs(before, now);
  const variables = changedVariables(before, now);
  const body = {
    ...Object.fromEntries(
      FIELDS.filter((name) => isNew || now[name] !== before[name]).map((name) => [name, now[name]]),
    ),
    ...(isNew || now.ref !== before.ref ? { ref: getFullRef((now.ref ?? defaultRef).trim(), stored) } : {}),
    ...(isNew || now.zone !== before.zone ? { cron_timezone: now.zone } : {}),
    ...(isNew || now.policy !== before.policy ? { missed_policy: now.policy } : {}),
    ...(variables.length === 0 ? {} : { variables }),
    ...(inputs.length === 0 ? {} : { inputs: inputs as never }),
  };
  return body as NewSchedule & ScheduleEdit;
}

const TITLES = {
  description: 'Description',
  ref: 'Branch or tag',
  cron: 'Cron',
  zone: 'Time zone',
} as const;

/** All values of a form as text, by their labels. */
function describeValues(values: ScheduleValues): Map<string, string> {
  const valueEntries = (kind: string, rows: readonly ValueRow[]) =>
    rows.map(({ name, value }) => [`${kind} ${name}`, value] as const);
  return new Map([
    ...(Object.keys(TITLES) as (keyof typeof TITLES)[]).map((name) => [TITLES[name], values[name] ?? ''] as const),
    ['Missed runs', MISSED_POLICIES[values.policy]] as const,
    ['Active', values.active ? 'yes' : 'no'] as const,
    ...valueEntries('Variable', values.variables),
    ...valueEntries('Input', values.inputs),
  ]);
}

/** A stored value that another user saved and that differs from the form's; null if it is missing on one side. */
interface Difference {
  title: string;
  theirs: string | null;
  mine: string | null;
  /** Whether the form changed it: then saving the form changes it, else theirs stays. */
  changed: boolean;
}

/** The stored values that differ from those of a form that started with `before`. */
export function getDifferences(before: ScheduleValues, theirs: ScheduleValues, mine: ScheduleValues): Difference[] {
  const [old, stored, held] = [describeValues(before), describeValues(theirs), describeValues(mine)];
  return [...new Set([...stored.keys(), ...held.keys()])]
    .map((title) => ({
      title,
      theirs: stored.get(title) ?? null,
      mine: held.get(title) ?? null,
      changed: old.get(title) !== held.get(title),
    }))
    .filter((one) => one.theirs !== one.mine);
}
