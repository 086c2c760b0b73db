import { parseComparison } from './parse-comparison.js';
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Absent } from '../../../app/problems/Absent.js';
import { projectQuery } from '../../../data/containers.js';
import { CompareForm } from './CompareForm.js';
import { ComparisonView } from './ComparisonView.js';

/** `/<project>/-/compare/<from>...<to>`: what one branch, tag or commit has beyond another one. */
export default function Compare({ path, rest }: { path: string; rest: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(path));
  const compared = parseComparison(rest);
  if (error && !project) return <Absent what="Repositories" error={error} retry={() => void refetch()} />;
  return (
    <Page title="Compare" lead="Compare two branches, tags or commits.">
      {!project && <LoadingRows label="Loading the page" rows={4} />}
      {project && (
        <CompareForm path={path} before={compared ?? { from: project.default_branch ?? '', to: '', straight: false }} />
      )}
      {project && compared && <ComparisonView path={path} compared={compared} />}
    </Page>
  );
}
