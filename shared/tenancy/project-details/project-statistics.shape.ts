import { out, shape } from '../../core/operations/shape.js';
import type { ProjectStatistics } from '../projects/project-statistics.entity.js';

/** Seed 2.10 "Statistics"; sizes in bytes. */
export const statisticsShape = shape<ProjectStatistics>('ProjectStatistics', {
  commit_count: out.integer((statistics) => statistics.commit_count),
  storage_size: out.integer((statistics) => statistics.storage_size),
  repository_size: out.integer((statistics) => statistics.repository_size),
  wiki_size: out.integer((statistics) => statistics.wiki_size),
  lfs_objects_size: out.integer((statistics) => statistics.lfs_objects_size),
  job_artifacts_size: out.integer((statistics) => statistics.job_artifacts_size),
  pipeline_artifacts_size: out.integer((statistics) => statistics.pipeline_artifacts_size),
  packages_size: out.integer((statistics) => statistics.packages_size),
  snippets_size: out.integer((statistics) => statistics.snippets_size),
  uploads_size: out.integer((statistics) => statistics.uploads_size),
  container_registry_size: out.integer((statistics) => statistics.container_registry_size),
});
