import { Field, fieldProblem } from './Form.js';
import { TextArea } from '../../ui/TextArea.js';

interface TitleAndDescriptionProps {
  values: { readonly title: string; readonly description: string };
  problem: Error | null;
  /** What may be written into the description. */
  hint?: string;
  rows?: number;
}

/** What everything that is planned is called, and what it is about in Markdown. */
export const TitleAndDescription = ({
  values,
  problem,
  hint = 'Markdown. May stay empty.',
  rows = 10,
}: TitleAndDescriptionProps) => (
  <>
    <Field
      label="Title"
      name="title"
      defaultValue={values.title}
      autoComplete="off"
      maxLength={255}
      problem={fieldProblem(problem, 'title')}
    />
    <TextArea
      label="Description"
      name="description"
      hint={hint}
      defaultValue={values.description}
      rows={rows}
      problem={fieldProblem(problem, 'description')}
    />
  </>
);
