import { Field } from './Form.js';

/** Titles of labels, as a text. */
export const LabelsField = ({ titles, problem }: { titles: string; problem: string | null }) => (
  <Field
    label="Labels"
    name="labels"
    hint="Titles, separated by commas."
    defaultValue={titles}
    autoComplete="off"
    problem={problem}
  />
);

/** The comma-separated items of a field, without duplicates: titles, or user names with or without their `@`. */
export const listed = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim().replace(/^@/, ''))
      .filter((part) => part !== ''),
  ),
];
