import { filePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Project } from '../../../data/api.js';
import { Code } from '../../../ui/Code.js';
import { Empty } from '../../../ui/Empty.js';
import { Html } from '../../../ui/Html.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { pictureFrom } from '../../repositories/repository-files/index.js';
import { readmeQuery } from './queries.js';
import type { Readme } from './queries.js';

/** The path of the README in `…/-/blob/<branch>/<path>`. */
function fileIn(url: string, branch: string): string {
  const { pathname } = new URL(url);
  const below = decodeURIComponent(pathname.slice(pathname.indexOf('/-/blob/') + '/-/blob/'.length));
  return below.slice(branch.length + 1);
}

/** The project's README. Empty for users without access to its code. */
export function ReadmeSection({ project }: { project: Project }) {
  const { default_branch: branch, readme_url: url, path_with_namespace: path } = project;
  if (branch === undefined) return null;
  if (!url)
    return (
      <Section title="README">
        <Empty>No README yet. Add a README.md to the root of the repository.</Empty>
      </Section>
    );
  return <Loaded path={path} branch={branch} file={fileIn(url, branch)} />;
}

function Loaded({ path, branch, file }: { path: string; branch: string; file: string }) {
  const { data, error, refetch } = useQuery(readmeQuery(path, branch, file));
  const pictureAt = useMemo(() => pictureFrom(path, { ref: branch, file }), [path, branch, file]);
  const to = filePath(path, `${branch}/${file}`);
  return (
    <Section title="README" aside={<Link to={to}>{file}</Link>}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading the README" rows={4} />}
      {data && <ReadmeContent readme={data} base={to} pictureAt={pictureAt} />}
    </Section>
  );
}

interface ReadmeContentProps {
  readme: Readme;
  base: string;
  pictureAt: (address: string) => string | null;
}

function ReadmeContent({ readme: { text, html }, ...at }: ReadmeContentProps) {
  return html === null ? (
    <Code label="README content">{text}</Code>
  ) : (
    <Html label="README content" html={html} {...at} />
  );
}
