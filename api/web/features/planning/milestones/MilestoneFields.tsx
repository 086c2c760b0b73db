import { Field, fieldProblem } from '../../../app/forms/Form.js';
import { TitleAndDescription } from '../../../app/forms/TitleAndDescription.js';

/** Fields that show their own problems. */
export const MILESTONE_FIELDS = ['title', 'description', 'start_date', 'due_date'];

/** The values of a milestone's fields, as text. */
export type MilestoneValues = Record<'title' | 'description' | 'start_date' | 'due_date', string>;

export const NO_VALUES: MilestoneValues = { title: '', description: '', start_date: '', due_date: '' };

/** The values in the API's format: emptied fields become null. */
export const getSaid = (values: Partial<MilestoneValues>): { [name in keyof MilestoneValues]?: string | null } =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, text === '' && name !== 'title' ? null : text]),
  );

/** The fields of a milestone, for a new one and for one that is there. */
export function MilestoneFields({ values, problem }: { values: MilestoneValues; problem: Error | null }) {
  const at = (name: keyof MilestoneValues) => fieldProblem(problem, name);
  return (
    <>
      <TitleAndDescription values={values} problem={problem} rows={8} />
      <Field
        label="Start date"
        name="start_date"
        type="date"
        defaultValue={values.start_date}
        short
        problem={at('start_date')}
      />
      <Field
        label="Due date"
        name="due_date"
        type="date"
        defaultValue={values.due_date}
        short
        problem={at('due_date')}
      />
    </>
  );
}
