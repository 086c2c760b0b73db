import { useEffect, useRef, useState } from 'react';
import { useMutation } from '../../../data/mutation.js';
import { api, unwrap } from '../../../data/api.js';
import type { WaitingPlan } from '../../../data/api.js';
import { ApiProblem } from '../../../data/problem.js';
import { upload } from '../../../data/upload.js';
import { groupAt } from './making.js';
import type { Failure } from './queries.js';

const UNPROCESSABLE = 422;

/** How much of an archive is sent. */
interface Sent {
  done: number;
  of: number;
}

/** The person stopped the upload. */
class Stopped extends Error {}

/** The browser asks for confirmation before it leaves a page whose upload would be aborted. */
function useHold(holding: boolean): void {
  useEffect(() => {
    if (!holding) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [holding]);
}

/** Sends forms with an archive, reports the upload's progress, and aborts on request or when its page is closed. */
function useUpload<In, Out>(
  send: (variables: In, post: <T>(path: string, form: FormData) => Promise<T>) => Promise<Out>,
) {
  const [sent, setSent] = useState<Sent | null>(null);
  const running = useRef<AbortController | null>(null);
  const sending = useMutation({
    mutationFn: (variables: In) => {
      const control = new AbortController();
      running.current = control;
      setSent(null);
      const options = { signal: control.signal, onSent: (done: number, of: number) => setSent({ done, of }) };
      return send(variables, (path, form) => upload(path, form, options));
    },
  });
  useHold(sending.isPending);
  const stop = () => running.current?.abort(new Stopped('Upload cancelled.'));
  useEffect(() => () => running.current?.abort(new Stopped('You left the page.')), []);
  return { ...sending, error: sending.error instanceof Stopped ? null : sending.error, sent, stop };
}

/** The part of the preview that all imports share, as returned by the API. */
export interface CountedPlan {
  relations: { relation: string; total: number; skipped: number }[];
  users: { mapped: { username: string }[]; mapped_count: number; unmapped_count: number };
  failures_count: number;
  failures: Failure[];
}

/** The preview of an import of groups. */
export interface GroupPlan extends CountedPlan {
  groups_count: number;
  groups: { source_id: number; full_path: string | null; name: string | null; skipped: string | null }[];
}

const getText = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** The fields of a form in the format of the API: empty fields are omitted, and the file comes last. */
function getForm(fields: Record<string, string>, values: FormData): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value);
  const file = values.get('file');
  if (file instanceof File && file.name !== '') form.append('file', file);
  return form;
}

/** Polling interval, in milliseconds. */
const POLL_MS = 2_000;

/** The preview of an import: the one in the response, or the one that a job computes, read once it is complete. */
async function getPlan<Plan extends object>(answer: Plan | WaitingPlan): Promise<Plan> {
  if (!('plan' in answer)) return answer;
  const params = { path: { plan_id: answer.id } };
  let found = answer;
  while (found.status === 'waiting') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    found = await unwrap(api.GET('/import_plans/{plan_id}', { params }));
  }
  if (found.status === 'failed') throw new ApiProblem(found.reason ?? '', UNPROCESSABLE, null);
  return found.plan as Plan;
}

interface UploadInput {
  values: FormData;
  dryRun: boolean;
}

/** Uploads an archive of one kind, for an import or a preview: only the latter has a plan. */
export type ArchiveUpload<Plan> = ReturnType<typeof useUpload<UploadInput, { path: string; plan: Plan | null }>>;

/** Uploads the archive of a group, for an import or a preview. Returns the path of the group and the plan. */
export const useGroupUpload = () =>
  useUpload(async ({ values, dryRun }: UploadInput, post) => {
    const parent = await groupAt(getText(values, 'parent'));
    const path = getText(values, 'path');
    const fields = {
      parent_id: parent ? String(parent.id) : '',
      name: getText(values, 'name'),
      path,
      dry_run: dryRun ? 'true' : '',
    };
    const answer = await post<GroupPlan | WaitingPlan>('/groups/import', getForm(fields, values));
    return { path: parent ? `${parent.full_path}/${path}` : path, plan: dryRun ? await getPlan(answer) : null };
  });

/** The preview of an import of a project. */
export interface ProjectPlan extends CountedPlan {
  name: string;
  full_path: string;
  visibility: string;
  replaces: string | null;
  repository: boolean;
}

/** Uploads the archive of a project, for an import or a preview. Returns the path of the project and the plan. */
export const useProjectUpload = () =>
  useUpload(async ({ values, dryRun }: UploadInput, post) => {
    const fields = {
      namespace: getText(values, 'namespace'),
      path: getText(values, 'path'),
      name: getText(values, 'name'),
      overwrite: values.get('overwrite') === null ? '' : 'true',
      dry_run: dryRun ? 'true' : '',
    };
    const answer = await post<ProjectPlan | WaitingPlan | { path_with_namespace: string }>(
      '/projects/import',
      getForm(fields, values),
    );
    if ('path_with_namespace' in answer) return { path: answer.path_with_namespace, plan: null };
    const plan = await getPlan(answer);
    return { path: plan.full_path, plan };
  });
