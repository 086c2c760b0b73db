import { generalSettingsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { Select } from '../../../ui/Select.js';
import { useSession } from '../../../data/session.js';
import { transferLocationsQuery, useStep } from './queries.js';
import type { Container } from '../../../data/containers.js';
import type { Values } from './values.js';

interface TransferProps {
  container: Container;
  id: number;
  /** Whether a group can go to the top. */
  below: boolean;
  /** Full path of what it is in now. */
  within: string | null;
}

const TOP = 'top';

const newPath = (kind: Container['kind'], moved: unknown): string => {
  const { path_with_namespace: ofProject, full_path: ofGroup } = moved as Values;
  return String(kind === 'project' ? ofProject : ofGroup);
};

/** A user name of digits alone would be parsed as the id of a namespace. */
const isPath = (username: string) => /\D/.test(username);

/** Moves a project or group below another group; a project also to one's own namespace. */
export function Transfer({ container, id, below, within }: TransferProps) {
  const username = useSession().data?.user?.username ?? '';
  const [address] = useSearchParams();
  const { data, error, refetch } = useQuery(transferLocationsQuery(container, id, address.get('search') ?? ''));
  const step = useStep(container, id);
  const navigate = useNavigate();
  const [to, choose] = useState('');
  const [missing, setMissing] = useState(false);
  const found = (data ?? []).map(({ id: groupId, full_path: label }) => ({ value: String(groupId), label }));
  const mayGoUp = container.kind === 'group' && below;
  const mayGoHome = container.kind === 'project' && within !== username && isPath(username);
  return (
    <Section title={`Transfer ${container.kind}`}>
      <p>
        Moves the {container.kind} with all its contents. It inherits the members and rules of the new namespace. Old
        URLs redirect.
      </p>
      <Card>
        <SearchForm label="Find a group" />
        {error && <Problem error={error} retry={() => void refetch()} />}
        <Form
          submit={`Transfer ${container.kind}`}
          busy={step.isPending}
          problem={step.error}
          fields={[]}
          onSubmit={() => {
            setMissing(to === '');
            if (to === '') return;
            step.mutate(
              { to: to === TOP ? '' : to },
              {
                onSuccess: (moved) =>
                  void navigate(generalSettingsPath({ kind: container.kind, path: newPath(container.kind, moved) })),
              },
            );
          }}
        >
          <Select
            label="New namespace"
            name="to"
            hint={found.length === 0 ? 'No other group where you can create it.' : undefined}
            none="Select a namespace"
            choices={[
              ...(mayGoUp ? [{ value: TOP, label: 'Top level (no parent group)' }] : []),
              ...(mayGoHome ? [{ value: username, label: `${username} (your namespace)` }] : []),
              ...found,
            ]}
            value={to}
            problem={missing && to === '' ? 'Select a namespace.' : null}
            onChoose={choose}
          />
        </Form>
      </Card>
    </Section>
  );
}
