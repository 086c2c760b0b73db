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
