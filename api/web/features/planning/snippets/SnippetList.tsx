import { recordPath, snippetsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { snippetsQuery } from './queries.js';
import type { Snippet } from './queries.js';

const REPORTER = 20;

/** `/<project>/-/snippets`: snippets of a project; `/-/snippets`: the user's own, personal ones and those in projects. */
export default function SnippetList({ project }: { project: string | null }) {
  return project === null ? (
    <SignedIn>{() => <Snippets title="Your snippets" project={null} mayCreate />}</SignedIn>
  ) : (
    <ProjectSnippets path={project} />
  );
}

function ProjectSnippets({ path }: { path: string }) {
  const mayCreate = useMayWrite({ kind: 'project', path }, REPORTER);
  return <Snippets title="Snippets" project={path} mayCreate={mayCreate} />;
}

interface SnippetsProps {
  title: string;
  project: string | null;
  mayCreate: boolean;
}

function Snippets({ title, project, mayCreate }: SnippetsProps) {
  const page = pageIn(useSearchParams()[0]);
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  return (
    <Page
      title={title}
      action={
        mayCreate && (
          <ButtonLink kind="primary" to={snippetsPath(project, 'new')}>
            New snippet
          </ButtonLink>
        )
      }
    >
      <Said>{said}</Said>
      <RecordList
        title="Snippets"
        query={useQuery(snippetsQuery(project, page))}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Snippet', cell: (snippet) => <Name project={project} snippet={snippet} /> },
          { title: 'Visibility', cell: ({ visibility }) => visibility },
          { title: 'Author', cell: ({ author }) => author?.name ?? 'Deleted user' },
          { title: 'Updated', cell: ({ updated_at: at }) => <Time at={at} /> },
        ]}
        empty="No snippets yet. Use snippets to store and share bits of code and text."
        action={mayCreate && <ButtonLink to={snippetsPath(project, 'new')}>Create a snippet</ButtonLink>}
      />
    </Page>
  );
}

/** Its title, what it holds, and among one's own the project that it lies in. */
function Name({ project, snippet }: { project: string | null; snippet: Snippet }) {
  const { title, files, web_url: url, project_id: id } = snippet;
  const page = recordPath(url);
  const [first, ...others] = files;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const container = project === null && id !== null ? `, in ${page.slice(1, page.indexOf('/-/'))}` : '';
  return (
    <>
      <Link className={rows.name} to={page}>
        <UnbrokenText>{title}</UnbrokenText>
      </Link>
      <span className={rows.quiet}>
        <UnbrokenText>{`${first?.path ?? 'no files'}${more}${container}`}</UnbrokenText>
      </span>
    </>
  );
}
