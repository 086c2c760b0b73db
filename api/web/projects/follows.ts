/** What is asked for anew where something of a project changed: keys of queries of its page. */
export function followsOf(path: string) {
  const [facts, events] = [[['project', path, 'pipeline facts']], [['project', path, 'events']]];
  return {
    pipelines: facts,
    pipeline_schedules: facts,
    issues: events,
    merge_requests: events,
    // With what is below these keys: what happened, runs and README.
    repositories: [
      ['project', path],
      ['readme', path],
    ],
    project_imports: [['project', path]],
  };
}
