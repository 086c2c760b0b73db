import { useQueryClient } from '@tanstack/react-query';
import { CommitForm } from './CommitForm.js';
import { FileConflict } from './FileConflict.js';
import { ciFileQuery, isConflict, useCommitCiFile } from './queries.js';
import type { CiFile } from './queries.js';

interface FileCommitProps {
  path: string;
  file: string;
  branch: string;
  from: string | null;
  target: string;
  base: CiFile | null;
  text: string;
  isChanged: boolean;
  /** Called with the file as it is after a commit to its own branch. */
  onStored: (stored: CiFile | null) => void;
  /** Called with the branch once the text is committed to it, and with null before that. */
  onCommit: (branch: string | null) => void;
  onDiscard: () => void;
}

/** The commit of the text, also over the changes of another user. */
export function FileCommit(props: FileCommitProps) {
  const { path, file, branch, from, target, base, text, isChanged, onStored, onCommit, onDiscard } = props;
  const queries = useQueryClient();
  const commit = useCommitCiFile(path);
  const hasConflict = isConflict(commit.error);
  const send = (last: CiFile | null, into: { message: string; branch: string }) => {
    onCommit(null);
    commit.mutate(
      { ...into, file, from, content: text, lastCommitId: last?.lastCommitId ?? null },
      {
        async onSuccess() {
          if (into.branch === branch)
            onStored(await queries.fetchQuery({ ...ciFileQuery(path, branch, file), staleTime: 0 }));
          onCommit(into.branch);
        },
      },
    );
  };
  return (
    <>
      {hasConflict && (
        <FileConflict
          path={path}
          branch={branch}
          file={file}
          busy={commit.isPending}
          onOverwrite={(current) => commit.variables && send(current, commit.variables)}
          onDiscard={onDiscard}
        />
      )}
      <CommitForm
        file={file}
        isNew={base === null}
        from={from}
        target={target}
        isChanged={isChanged}
        busy={commit.isPending}
        problem={hasConflict ? null : commit.error}
        onCommit={(message, into) => send(base, { message, branch: into })}
      />
    </>
  );
}
