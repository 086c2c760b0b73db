import type { ContainerLocation } from '../../../app/routing/addresses/containers.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { JobPage, Jobs } from './Jobs.js';
import { PipelinePage } from './PipelinePage.js';
import Pipelines from './Pipelines.js';

const ID = /^[1-9]\d{0,14}$/;

/** `/<project>/-/pipelines`, `/-/jobs`, and one of either. */
export default function PipelinePages({ location }: { location: ContainerLocation }) {
  const { path, page, rest } = location;
  if (rest === '') return page === 'jobs' ? <Jobs path={path} /> : <Pipelines location={location} />;
  if (!ID.test(rest)) return <NotFound />;
  const id = Number(rest);
  return page === 'jobs' ? <JobPage key={id} path={path} id={id} /> : <PipelinePage key={id} path={path} id={id} />;
}
