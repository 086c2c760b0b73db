import { mergeRequestsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { NewMergeRequest, Project } from '../../../data/api.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card, Page } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows } from '../../../ui/Table.js';
import { TextArea } from '../../../ui/TextArea.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { useCreateRequest } from './changes.js';
import { newRequestQuery } from './queries.js';

/**
 * `/<project>/-/merge_requests/new`: the form of another merge request. `?merge_request[source_branch]=` and
 * `?merge_request[target_branch]=` fill it, as in the links that git shows after a push.
 */
export default function NewRequestPage({ path }: { path: string }) {
  return <SignedIn>{() => <NewRequest path={path} />}</SignedIn>;
}

function NewRequest({ path }: { path: string }) {
  const offered = useQuery(newRequestQuery(path));
  return (
    <Page
      title="New merge request"
      lead={
        <Link to={mergeRequestsPath(path)}>
          <UnbrokenText>{`Merge requests in ${offered.data?.project.name_with_namespace ?? path}`}</UnbrokenText>
        </Link>
      }
    >
      {offered.error && <LoadError what="Merge requests" error={offered.error} retry={() => void offered.refetch()} />}
      {offered.isPending && <LoadingRows label="Loading form" rows={6} />}
      {offered.data && <NewRequestForm path={path} {...offered.data} />}
    </Page>
  );
}

interface FormProps {
  path: string;
  project: Project;
  branches: readonly string[];
}

/** The project itself, and the one that it is a fork of, which comes first unless the fork's settings say otherwise. */
function getTargets({ id, path_with_namespace: path, ...project }: Project) {
  const own = { value: String(id), label: path };
  const from = project.forked_from_project;
  if (!from) return [own];
  const source = { value: String(from.id), label: from.path_with_namespace };
  return project.mr_default_target_self === true ? [own, source] : [source, own];
}

const FIELDS = ['source_branch', 'target_branch', 'title', 'description'];

function readAttributes(values: FormData, target: string, ownId: number): NewMergeRequest {
  const text = (name: string) => String(values.get(name) ?? '').trim();
  // Browsers send the ends of lines as two characters; spaces at the begin of Markdown mean something.
  const description = String(values.get('description') ?? '').replaceAll('\r\n', '\n');
  return {
    source_branch: text('source_branch'),
    target_branch: text('target_branch'),
    title: text('title'),
    ...(description === '' ? {} : { description }),
    ...(Number(target) === ownId ? {} : { target_project_id: Number(target) }),
    remove_source_branch: values.get('remove') !== null,
    squash: values.get('squash') !== null,
  };
}

function NewRequestForm({ path, project, branches }: FormProps) {
  const navigate = useNavigate();
  const creation = useCreateRequest(path);
  const targets = getTargets(project);
  const [target, setTarget] = useState(targets[0]?.value ?? '');
  const where = targets.find(({ value }) => value === target)?.label ?? path;
  return (
    <Card>
      <Form
        focusFirst
        submit="Create merge request"
        busy={creation.isPending}
        problem={creation.error}
        fields={FIELDS}
        beside={<ButtonLink to={mergeRequestsPath(path)}>Cancel</ButtonLink>}
        onSubmit={(values) =>
          creation.mutate(readAttributes(values, target, project.id), {
            onSuccess: ({ iid }) =>
              void navigate(mergeRequestsPath(where, iid), { state: { said: `Merge request !${iid} created.` } }),
          })
        }
      >
        <Fields project={project} branches={branches} problem={creation.error}>
          {targets.length > 1 && (
            <Select label="Target project" name="target" choices={targets} value={target} onChoose={setTarget} />
          )}
        </Fields>
      </Form>
    </Card>
  );
}

interface FieldsProps {
  project: Project;
  branches: readonly string[];
  problem: Error | null;
  children: React.ReactNode;
}

function Fields({ project, branches, problem, children }: FieldsProps) {
  const [search] = useSearchParams();
  const list = useId();
  const at = (name: string) => fieldProblem(problem, name);
  const readDefault = (name: string) => search.get(`merge_request[${name}]`) ?? '';
  return (
    <>
      <datalist id={list}>
        {branches.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Field
        label="Source branch"
        name="source_branch"
        hint="The branch to merge."
        list={list}
        defaultValue={readDefault('source_branch')}
        autoComplete="off"
        problem={at('source_branch')}
      />
      {children}
      <Field
        label="Target branch"
        name="target_branch"
        hint="The branch to merge into."
        list={list}
        defaultValue={readDefault('target_branch') || (project.default_branch ?? '')}
        autoComplete="off"
        problem={at('target_branch')}
      />
      <Field
        label="Title"
        name="title"
        hint="Start with Draft: to mark as a draft."
        defaultValue={readDefault('title')}
        autoComplete="off"
        problem={at('title')}
      />
      <TextArea
        label="Description"
        name="description"
        hint="Supports Markdown. Use - [ ] for tasks and Closes #1 to close an issue on merge."
        defaultValue={readDefault('description')}
        rows={8}
        problem={at('description')}
      />
      <Check
        label="Squash commits"
        name="squash"
        hint="Combine all commits into one on merge. Project settings can require or disallow this."
        on={project.squash_option === 'always' || project.squash_option === 'default_on'}
      />
      <Check
        label="Delete source branch"
        name="remove"
        hint="After the merge."
        on={project.remove_source_branch_after_merge}
      />
    </>
  );
}
