import { fieldProblem } from '../look/Form.js';
import { LabelsField } from '../look/LabelsField.js';
import { listed } from '../look/listed.js';
import { TitleAndDescription } from '../look/TitleAndDescription.js';

/** Fields that show their own problems. */
export const EPIC_FIELDS = ['title', 'description', 'labels'];

/** What the fields of an epic hold, as text. */
export type EpicValues = Record<'title' | 'description' | 'labels', string>;

export const NO_VALUES: EpicValues = { title: '', description: '', labels: '' };

/** As the API takes them. */
export const saidOf = ({ labels, ...texts }: Partial<EpicValues>) => ({
  ...texts,
  ...(labels === undefined ? {} : { labels: listed(labels) }),
});

/** The fields of an epic, for a new one and for one that is there. */
export function EpicFields({ values, problem }: { values: EpicValues; problem: Error | null }) {
  const at = (name: keyof EpicValues) => fieldProblem(problem, name);
  return (
    <>
      <TitleAndDescription values={values} problem={problem} />
      <LabelsField titles={values.labels} problem={at('labels')} />
    </>
  );
}
