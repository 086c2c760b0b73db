import { useSearchParams } from 'react-router';
import { Field } from '../look/Form.js';
import type { ContainerKind } from './address.js';

interface PlaceFieldProps {
  kind: ContainerKind;
  hint: string;
  problem: string | null;
}

const LABELS = { group: 'Parent group', project: 'Namespace' } as const;

/** What the field is called, in the form and in the address. */
export const PLACE_NAMES = { group: 'parent', project: 'namespace' } as const;

/** Where a new group or project lies, by its full path; the address may name it: `?parent=`, `?namespace=`. */
export function PlaceField({ kind, hint, problem }: PlaceFieldProps) {
  const [search] = useSearchParams();
  const name = PLACE_NAMES[kind];
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
