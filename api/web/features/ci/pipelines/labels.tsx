import { treePath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';

const STATES: Readonly<Record<string, readonly [tone: Tone, label: string]>> = {
  created: ['quiet', 'created'],
  waiting_for_resource: ['quiet', 'waiting for resource'],
  preparing: ['quiet', 'preparing'],
  waiting_for_callback: ['quiet', 'waiting for callback'],
  pending: ['warn', 'pending'],
  running: ['warn', 'running'],
  success: ['good', 'succeeded'],
  failed: ['bad', 'failed'],
  canceling: ['quiet', 'canceling'],
  canceled: ['quiet', 'canceled'],
  skipped: ['quiet', 'skipped'],
  manual: ['quiet', 'manual'],
  scheduled: ['quiet', 'scheduled'],
};

/** The tone and the words of a state; a failure that is allowed is a warning. */
export function getStatusLabel(status: string, mayFail = false): readonly [tone: Tone, label: string] {
  if (mayFail && status === 'failed') return ['warn', 'failed, allowed'];
  return STATES[status] ?? ['quiet', status.replaceAll('_', ' ')];
}

/** The state of a pipeline or job as a label. */
export function PipelineStatus({ status, mayFail }: { status: string; mayFail?: boolean }) {
  const [tone, label] = getStatusLabel(status, mayFail);
  return <State tone={tone}>{label}</State>;
}

const SOURCES: Readonly<Record<string, string>> = {
  schedule: 'schedule',
  scheduled: 'schedule',
  push: 'push',
  web: 'web',
  api: 'API',
  external: 'external',
  external_pull_request_event: 'external pull request',
  merge_request_event: 'merge request',
  parent_pipeline: 'parent pipeline',
  pipeline: 'multi-project pipeline',
  trigger: 'trigger',
};

/** The source of a pipeline as a label. */
export const formatSource = (source: string): string => SOURCES[source] ?? source.replaceAll('_', ' ');

/** Seconds of work, as people say them. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The branch or tag that something ran on. */
export function PipelineRef({ path, name }: { path: string; name: string }) {
  return (
    <Link to={treePath(path, name)}>
      <UnbrokenText>{name}</UnbrokenText>
    </Link>
  );
}
