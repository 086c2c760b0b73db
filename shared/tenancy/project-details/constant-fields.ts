import type { ProjectRecord } from '../projects/project.record.js';
import { out } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';

interface Constant {
  field: OutField<ProjectRecord>;
  /** Why nothing changes it. */
  reason: string;
}

/** Fields of the project record that are the same for every project here, each with its reason. */
export const CONSTANT_FIELDS = {
  service_desk_address: {
    field: out.nullableText(() => null),
    reason: 'The service receives no mail, so there is no address to write to.',
  },
  repository_object_format: {
    field: out.text(() => 'sha1'),
    reason: 'Repositories are made with SHA-1, which every git client speaks; another format is refused.',
  },
  repository_storage: {
    field: out.text(() => 'default'),
    reason: 'All repositories lie in one place, below DATA_DIR.',
  },
} satisfies Record<string, Constant>;

/** Statistics that nothing fills yet: they stay 0. */
export const CONSTANT_STATISTICS: Record<string, string> = {
  lfs_objects_size: 'Large files are not stored apart yet.',
  job_artifacts_size: 'Outside executors keep their artifacts.',
  pipeline_artifacts_size: 'Outside executors keep their artifacts.',
};

/** The fields of these names. */
export function constantFields(...names: (keyof typeof CONSTANT_FIELDS)[]): Record<string, OutField<ProjectRecord>> {
  return Object.fromEntries(names.map((name) => [name, CONSTANT_FIELDS[name].field]));
}
