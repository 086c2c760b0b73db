import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { pipelineEditorPath } from '../../../app/routing/paths.js';
import { Select } from '../../../ui/Select.js';
import { branchNamesQuery } from '../../repositories/repository-files/index.js';
import styles from './PipelineEditor.module.css';

interface BranchBarProps {
  path: string;
  branch: string;
  file: string;
  isChanged: boolean;
}

/** The branch whose file is edited. Another one replaces the text: changes are discarded only after a question. */
export function BranchBar({ path, branch, file, isChanged }: BranchBarProps) {
  const navigate = useNavigate();
  const branches = useQuery(branchNamesQuery(path)).data ?? [];
  const [next, setNext] = useState<string | null>(null);
  const go = (name: string) => void navigate(pipelineEditorPath(path, name));
  return (
    <div className={styles.bar}>
      <Select
        label="Branch"
        name="branch_name"
        choices={branches.includes(branch) ? branches : [branch, ...branches]}
        value={branch}
        onChoose={(name) => (isChanged ? setNext(name) : go(name))}
      />
      <code>{file}</code>
      {next !== null && (
        <Confirm
          title="Discard changes?"
          does="Discard changes"
          danger
          busy={false}
          problem={null}
          onClose={() => setNext(null)}
          onConfirm={() => {
            setNext(null);
            go(next);
          }}
        >
          <p>
            Your changes to <code>{file}</code> on <code>{branch}</code> aren't committed.
          </p>
        </Confirm>
      )}
    </div>
  );
}
