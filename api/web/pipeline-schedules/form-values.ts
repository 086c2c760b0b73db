import type { NewSchedule, ScheduleEdit, WantedVariables } from './changes.js';
import type { ScheduleDetails } from './queries.js';
import { refWords } from './ref-words.js';
import type { MissedPolicy } from './words.js';

/** A row of a form's variables or inputs. */
export interface ValueRow {
  /** Names the row while it is edited. */
  row: number;
  name: string;
  value: string;
  file: boolean;
  /** What is stored under this name; null for a new one. */
  stored: { value: string; file: boolean } | null;
}

/** What the form of a schedule holds. */
export interface ScheduleValues {
  description: string;
  /** Null until somebody chose: then it is the default branch. */
  ref: string | null;
  cron: string;
  zone: string;
  active: boolean;
  policy: MissedPolicy;
  variables: readonly ValueRow[];
  inputs: readonly ValueRow[];
}

const here = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the form of another schedule begins with. */
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

const rowOf = (row: number, name: string, value: string, file: boolean): ValueRow => ({
  row,
  name,
  value,
  file,
  stored: { value, file },
});

/** The value of an input as it is written: text as it is, all else as JSON. */
const inputText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A text that is JSON of a list, a number or a boolean means that; any other is itself. */
function inputValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? text : value;
  } catch {
    return text;
  }
}

export const valuesOf = (schedule: ScheduleDetails): ScheduleValues => ({
  description: schedule.description,
  ref: refWords(schedule.ref),
  cron: schedule.cron,
  zone: schedule.cron_timezone,
  active: schedule.active,
  policy: schedule.missed_policy,
  variables: (schedule.variables ?? []).map(({ key, value, variable_type: type }, row) =>
    rowOf(row, key, value, type === 'file'),
  ),
  inputs: schedule.inputs.map(({ name, value }, row) => rowOf(row, name, inputText(value), false)),
});

const removedOf = (before: readonly ValueRow[], now: readonly ValueRow[]): string[] =>
  before.filter(({ row }) => !now.some((other) => other.row === row)).map(({ name }) => name);

const isChanged = ({ value, file, stored }: ValueRow) => stored?.value !== value || stored.file !== file;

/** What of variables is to be set and removed. */
export const wantedVariables = (before: ScheduleValues, now: ScheduleValues): WantedVariables => ({
  set: now.variables
    .filter((row) => row.stored === null || isChanged(row))
    .map(({ name, value, file, stored }) => ({
      key: name.trim(),
      value,
      variable_type: file ? 'file' : 'env_var',
      known: stored !== null,
    })),
  remove: removedOf(before.variables, now.variables),
});

function wantedInputs(before: ScheduleValues, now: ScheduleValues) {
  const set = now.inputs
    .filter((row) => row.stored === null || isChanged(row))
    .map(({ name, value }) => ({ name: name.trim(), value: inputValue(value) }));
  return [...set, ...removedOf(before.inputs, now.inputs).map((name) => ({ name, destroy: true }))];
}

/** The name that is stored in full stays so: the short one may have become ambiguous. */
const wantedRef = (ref: string, stored: ScheduleDetails | null): string =>
  stored && refWords(stored.ref) === ref ? stored.ref : ref;

/** What the API is asked to store. */
export function bodyOf(
  now: ScheduleValues,
  before: ScheduleValues,
  stored: ScheduleDetails | null,
  defaultRef: string,
): NewSchedule & ScheduleEdit {
  const inputs = wantedInputs(before, now);
  return {
    description: now.description,
    ref: wantedRef((now.ref ?? defaultRef).trim(), stored),
    cron: now.cron,
    cron_timezone: now.zone,
    active: now.active,
    missed_policy: now.policy,
    ...(inputs.length === 0 ? {} : { inputs: inputs as never }),
  };
}
