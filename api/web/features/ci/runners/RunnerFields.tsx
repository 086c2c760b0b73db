import { Field } from '../../../app/forms/Form.js';
import { textIn } from '../../../app/forms/form-values.js';
import { Check } from '../../../ui/Check.js';
import { TextArea } from '../../../ui/TextArea.js';
import type { RunnerAttributes, RunnerDetails, RunnerOwner } from './queries.js';

/** The fields that display their own errors. */
export const RUNNER_FIELDS = [
  'description',
  'tag_list',
  'tags_list',
  'run_untagged',
  'maximum_timeout',
  'maintenance_note',
];

/** The beginnings of messages that are about a field. */
export const RUNNER_MESSAGES = [
  [/tags_list/, 'tag_list'],
  [/^maximum_timeout /i, 'maximum_timeout'],
  [/^description /i, 'description'],
] as const;

/** Reads what the fields below hold. */
export function readRunner(values: FormData, kind: RunnerOwner['kind']): RunnerAttributes {
  const timeout = textIn(values, 'maximum_timeout').trim();
  return {
    description: textIn(values, 'description'),
    tag_list: textIn(values, 'tag_list')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    run_untagged: values.get('run_untagged') !== null,
    paused: values.get('paused') !== null,
    ...(kind === 'project' ? { locked: values.get('locked') !== null } : {}),
    access_level: values.get('protected') === null ? 'not_protected' : 'ref_protected',
    maximum_timeout: timeout === '' ? null : Number(timeout),
    maintenance_note: textIn(values, 'maintenance_note'),
  };
}

interface RunnerFieldsProps {
  kind: RunnerOwner['kind'];
  /** The runner that is edited; null for a new one. */
  runner: RunnerDetails | null;
  at: (name: string) => string | null;
}

/** What can be set of a runner. */
export function RunnerFields({ kind, runner, at }: RunnerFieldsProps) {
  return (
    <>
      <Field
        label="Description"
        name="description"
        hint="For example, the machine that it runs on."
        defaultValue={runner?.description ?? ''}
        autoComplete="off"
        maxLength={1024}
        problem={at('description')}
      />
      <Field
        label="Tags"
        name="tag_list"
        hint="Separated by commas. The runner takes jobs all of whose tags it has."
        defaultValue={runner?.tag_list.join(', ') ?? ''}
        autoComplete="off"
        spellCheck={false}
        problem={at('tag_list') ?? at('tags_list')}
      />
      <Check
        label="Run untagged jobs"
        name="run_untagged"
        hint="Also takes jobs without tags."
        on={runner?.run_untagged ?? true}
        problem={at('run_untagged')}
      />
      <Check
        label="Protected"
        name="protected"
        hint="Takes only jobs of protected branches and tags."
        on={runner?.access_level === 'ref_protected'}
      />
      {kind === 'project' && (
        <Check label="Locked" name="locked" hint="Can't be assigned to further projects." on={runner?.locked ?? true} />
      )}
      <Check label="Paused" name="paused" hint="Takes no jobs until it is resumed." on={runner?.paused ?? false} />
      <Field
        label="Maximum job timeout"
        name="maximum_timeout"
        type="number"
        min={600}
        hint="Seconds that a job may run there, at least 600. Leave empty for the timeout of the project."
        defaultValue={runner?.maximum_timeout ?? ''}
        short
        problem={at('maximum_timeout')}
      />
      <TextArea
        label="Maintenance note"
        name="maintenance_note"
        hint="For those who maintain the runner."
        defaultValue={runner?.maintenance_note ?? ''}
        maxLength={1024}
        rows={2}
        problem={at('maintenance_note')}
      />
    </>
  );
}
