import { jobsPath, pipelinesPath } from '../../../app/routing/paths.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';

/** Pipelines of a project, and their jobs. */
export function PipelineTabs({ path, current }: { path: string; current: 'pipelines' | 'jobs' }) {
  return (
    <LinkTabs
      label="Pipelines and jobs"
      tabs={[
        { to: pipelinesPath(path), label: 'Pipelines', current: current === 'pipelines' },
        { to: jobsPath(path), label: 'Jobs', current: current === 'jobs' },
      ]}
    />
  );
}
