import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { commitPath, pipelinesPath } from '../../../app/routing/paths.js';
import { useLive } from '../../../data/live.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { StatusOf } from '../pipelines/index.js';
import styles from './PipelineEditor.module.css';
import { LATEST_PIPELINE, latestPipelineQuery } from './queries.js';

/** The newest pipeline of a branch: a commit of the file starts one. */
export function LatestPipeline({ path, branch }: { path: string; branch: string }) {
  const { data } = useQuery(latestPipelineQuery(path, branch));
  useLive(data === undefined ? null : { project: path }, { pipelines: [[LATEST_PIPELINE, path]] });
  if (data === undefined) return null;
  return (
    <p className={styles.latest}>
      {data === null ? (
        <UnbrokenText>{`No pipeline has run on ${branch} yet.`}</UnbrokenText>
      ) : (
        <>
          <span>
            Latest pipeline: <Link to={pipelinesPath(path, data.id)}>#{data.id}</Link>
          </span>
          <StatusOf status={data.status} />
          <Link to={commitPath(path, data.sha)}>
            <code>{data.sha.slice(0, 8)}</code>
          </Link>
        </>
      )}
    </p>
  );
}
