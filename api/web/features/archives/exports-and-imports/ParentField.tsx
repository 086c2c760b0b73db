import type { Container } from '../../../data/containers.js';
import { useSearchParams } from 'react-router';
import { Field } from '../../../app/forms/Form.js';

interface ParentFieldProps {
  kind: Container['kind'];
  hint: string;
  problem: string | null;
}

const LABELS = { group: 'Parent group', project: 'Namespace' } as const;

/** The field's name, in the form and in the address. */
export const PARENT_FIELDS = { group: 'parent', project: 'namespace' } as const;

/** Where a new group or project lies, by its full path; the address may name it: `?parent=`, `?namespace=`. */
export function ParentField({ kind, hint, problem }: ParentFieldProps) {
  const [search] = useSearchParams();
  const name = PARENT_FIELDS[kind];
  return (
    <Field
      label={LABELS[kind]}
      name={name}
      autoComplete="off"
      defaultValue={search.get(name) ?? ''}
      hint={hint}
      problem={problem}
    />
  );
}
