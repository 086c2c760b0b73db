import { useLive } from '../client/live.js';

/** Has the page of a project ask anew where something changed that it shows. */
export function LiveProject({ path }: { path: string }) {
  // What its schedules and pipelines do is a part of these; keys of the others begin with the same words.
  const all = [['project', path]];
  const events = [['project', path, 'events']];
  useLive(
    { project: path },
    {
      pipelines: all,
      pipeline_schedules: all,
      issues: events,
      merge_requests: events,
      repositories: [...all, ['readme', path]],
      project_imports: all,
    },
  );
  return null;
}
