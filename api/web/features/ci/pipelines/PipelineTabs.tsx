import { pageOf } from '../../../app/routing/addresses/containers.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';

/** Pipelines of a project, and their jobs. */
export function PipelineTabs({ path, current }: { path: string; current: 'pipelines' | 'jobs' }) {
  const to = (page: string) => pageOf({ kind: 'project', path }, page);
  return (
    <LinkTabs
      label="Pipelines and jobs"
      tabs={[
        { to: to('pipelines'), label: 'Pipelines', current: current === 'pipelines' },
        { to: to('jobs'), label: 'Jobs', current: current === 'jobs' },
      ]}
    />
  );
}
