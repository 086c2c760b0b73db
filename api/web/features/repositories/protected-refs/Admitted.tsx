import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { Button } from '../../../ui/Button.js';
import form from '../../../app/forms/Form.module.css';
import { Problem } from '../../../app/problems/Problem.js';
import { Select } from '../../../ui/Select.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { ROLES } from './entries.js';
import type { Admission, Grantee, Role } from './entries.js';
import { candidatesQuery, OFFERED } from './queries.js';
import styles from './Admitted.module.css';

const KINDS = [
  ['user_id', 'Users'],
  ['group_id', 'Groups'],
  ['deploy_key_id', 'Deploy keys'],
] as const;

const getKey = ({ by, id }: Grantee) => `${by} ${id}`;

interface AdmittedProps {
  projectId: string;
  /** "Allowed to push" */
  legend: string;
  /** Of the fields, which there are several of: `push`. */
  name: string;
  /** Whether deploy keys can be selected: for pushing and creating tags, but not for merging. */
  keys: boolean;
  value: Admission;
  onChange: (value: Admission) => void;
}

/** The grantees of a rule: all users with at least a certain role, and individual ones in addition. */
export function Admitted({ projectId, legend, name, keys, value, onChange }: AdmittedProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  const remove = (gone: Grantee) => {
    onChange({ ...value, grantees: value.grantees.filter((one) => getKey(one) !== getKey(gone)) });
    // The button disappears with the removed item.
    group.current?.querySelector<HTMLElement>(`[name="${name}_also"]`)?.focus();
  };
  return (
    <fieldset ref={group} className={styles.group}>
      <legend className={form.label}>{legend}</legend>
      <Select
        label="Role"
        name={`${name}_role`}
        choices={ROLES}
        value={value.role}
        onChoose={(role) => onChange({ ...value, role: role as Role })}
      />
      <Also
        projectId={projectId}
        name={`${name}_also`}
        keys={keys}
        grantees={value.grantees}
        onAdd={(one) => onChange({ ...value, grantees: [...value.grantees, one] })}
      />
      {value.grantees.length > 0 && (
        <ul className={styles.named} aria-label={`${legend}: selected`}>
          {value.grantees.map((one) => (
            <li key={getKey(one)}>
              <UnbrokenText>{one.label}</UnbrokenText>
              <Button kind="quiet" aria-label={`Remove ${one.label}`} onClick={() => remove(one)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface AlsoProps {
  projectId: string;
  name: string;
  keys: boolean;
  grantees: readonly Grantee[];
  onAdd: (one: Grantee) => void;
}

function Also({ projectId, name, keys, grantees, onAdd }: AlsoProps) {
  const id = useId();
  const { data = [], error, refetch } = useQuery(candidatesQuery(projectId));
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  const chosen = new Set(grantees.map(getKey));
  const offered = data.filter((one) => !chosen.has(getKey(one)) && (keys || one.by !== 'deploy_key_id'));
  return (
    <div className={form.field}>
      <label className={form.label} htmlFor={id}>
        {keys ? 'Add users, groups or deploy keys' : 'Add users or groups'}
      </label>
      <p className={form.hint} id={`${id}-hint`}>
        {keys && 'Only deploy keys with write permissions. '}Lists up to {OFFERED} of each.
      </p>
      <select
        id={id}
        name={name}
        className={`${form.input} ${form.select}`}
        value=""
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value } }) => {
          const one = offered.find((candidate) => getKey(candidate) === value);
          if (one) onAdd(one);
        }}
      >
        <option value="">Select…</option>
        {KINDS.map(([by, label]) => {
          const ofKind = offered.filter((one) => one.by === by);
          return (
            ofKind.length > 0 && (
              <optgroup key={by} label={label}>
                {ofKind.map((one) => (
                  <option key={getKey(one)} value={getKey(one)}>
                    {one.label}
                  </option>
                ))}
              </optgroup>
            )
          );
        })}
      </select>
    </div>
  );
}
