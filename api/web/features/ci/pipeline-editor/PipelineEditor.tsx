import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Absent } from '../../../app/problems/Absent.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { newMergeRequestPath, pipelineEditorPath } from '../../../app/routing/paths.js';
import { HelpLink } from '../../../app/shell/HelpLink.js';
import type { Project } from '../../../data/api.js';
import { projectQuery } from '../../../data/containers.js';
import { Empty } from '../../../ui/Empty.js';
import { Page } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { LatestPipeline } from './LatestPipeline.js';
import { ciBranchQuery, ciFileQuery, getCiPath, isElsewhere } from './queries.js';
import { Workspace } from './Workspace.js';

/** `/<project>/-/ci/editor`: the configuration file of a branch, checked while it is edited, and committed. */
export default function PipelineEditor({ path }: { path: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(path));
  if (error && !project) return <Absent what="Pipelines" error={error} retry={() => void refetch()} />;
  return (
    <Page title="Pipeline editor" action={<HelpLink page="pipelines" section="pipeline-editor" />}>
      {project ? <FileOnBranch project={project} /> : <LoadingRows label="Loading the editor" rows={8} />}
    </Page>
  );
}

function FileOnBranch({ project }: { project: Project }) {
  const path = project.path_with_namespace;
  const [search] = useSearchParams();
  const standard = project.default_branch ?? 'main';
  const branch = search.get('branch_name') ?? standard;
  const file = getCiPath(project);
  const isInside = !isElsewhere(file);
  // A discarded text is replaced by the file as it is then.
  const [round, setRound] = useState(0);
  // Once it is open it stays: the first commit of a repository makes its branch, which is read again after the project.
  const [opened, setOpened] = useState<string | null>(null);
  const [committed, setCommitted] = useState<CommitNotice | null>(null);
  const navigate = useNavigate();
  const found = useQuery({ ...ciBranchQuery(path, branch), enabled: isInside });
  const stored = useQuery({ ...ciFileQuery(path, branch, file), enabled: isInside });
  if (!isInside)
    return (
      <Empty>
        The configuration of this project is outside its repository: <code>{file}</code>. It can't be edited here.
      </Empty>
    );
  const error = found.error ?? stored.error;
  if (error && (found.data === undefined || stored.data === undefined))
    return (
      <LoadError
        what="Repositories"
        error={error}
        retry={() => void Promise.all([found.refetch(), stored.refetch()])}
      />
    );
  if (found.data === undefined || stored.data === undefined)
    return <LoadingRows label="Loading the configuration" rows={8} />;
  if (found.data === null && !project.empty_repo && opened !== branch)
    return (
      <Empty action={<Link to={pipelineEditorPath(path)}>Edit the file on {standard}</Link>}>
        <UnbrokenText>{`There is no branch ${branch}.`}</UnbrokenText>
      </Empty>
    );
  if (opened !== branch) setOpened(branch);
  const noteCommit = (target: string | null) => {
    setCommitted(target === null ? null : { branch: target, from: branch });
    if (target !== null && target !== branch) void navigate(pipelineEditorPath(path, target));
  };
  return (
    <>
      <CommitMessage path={path} notice={committed?.branch === branch ? committed : null} />
      {stored.data !== null && <LatestPipeline path={path} branch={branch} />}
      <Workspace
        key={`${path} ${branch} ${round}`}
        project={project}
        branch={branch}
        pushRight={found.data?.can_push ?? null}
        file={file}
        stored={stored.data}
        onCommit={noteCommit}
        onDiscard={() => setRound(round + 1)}
      />
    </>
  );
}

/** The branch of the last commit, and the branch that the text came from. */
interface CommitNotice {
  branch: string;
  from: string;
}

/** What came of the last commit; one to a new branch can become a merge request. */
function CommitMessage({ path, notice }: { path: string; notice: CommitNotice | null }) {
  return (
    <>
      <Said>{notice === null ? '' : `Your changes are committed to ${notice.branch}.`}</Said>
      {notice !== null && notice.branch !== notice.from && (
        <p>
          <Link to={newRequestPath(path, notice)}>Create a merge request</Link>
        </p>
      )}
    </>
  );
}

const newRequestPath = (path: string, { branch, from }: CommitNotice): string =>
  `${newMergeRequestPath(path)}?${new URLSearchParams({
    'merge_request[source_branch]': branch,
    'merge_request[target_branch]': from,
  })}`;
