import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Suggestion } from '../../../data/api.js';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import type { DiscussionThread } from '../../notes/discussions/index.js';
import { Button } from '../../../ui/Button.js';
import { Problem } from '../../../app/problems/Problem.js';
import { State } from '../../../ui/State.js';
import type { DiffContext } from './diff-context.js';
import { suggestionsQuery } from './queries.js';
import styles from './RequestActions.module.css';

interface SuggestionsProps {
  context: DiffContext;
  thread: DiscussionThread;
  onSaid: (said: string) => void;
}

/** How Markdown begins a block that proposes other text. */
const BLOCK = /^ {0,3}`{3,}suggestion/m;

/** The suggestions of a thread for its lines, each with a button that commits it. Loaded only if there are any. */
export function Suggestions({ context: { of, request }, thread, onSaid }: SuggestionsProps) {
  const proposes = thread.notes.nodes.some(({ body }) => BLOCK.test(body));
  const found = useQuery({ ...suggestionsQuery(of.path, of.iid), enabled: proposes });
  if (!proposes) return null;
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />;
  const suggestions = thread.notes.nodes.flatMap(({ id }) => found.data?.get(id.slice(id.lastIndexOf('/') + 1)) ?? []);
  const mayApply = request.state === 'opened' && request.extras.userPermissions.updateMergeRequest;
  return suggestions.map((one) => (
    <OneSuggestion key={one.id} of={of.key} suggestion={one} mayApply={mayApply} onSaid={onSaid} />
  ));
}

const formatLines = ({ from_line: from, to_line: to }: Suggestion) =>
  from === to ? `line ${from}` : `lines ${from} to ${to}`;

interface OneProps {
  of: readonly string[];
  suggestion: Suggestion;
  mayApply: boolean;
  onSaid: (said: string) => void;
}

function OneSuggestion({ of, suggestion, mayApply, onSaid }: OneProps) {
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: () => unwrap(api.PUT('/suggestions/{id}/apply', { params: { path: { id: suggestion.id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: of }),
  });
  const lines = formatLines(suggestion);
  if (suggestion.applied)
    return (
      <p>
        <State tone="good">{`suggestion for ${lines} applied`}</State>
      </p>
    );
  if (!suggestion.appliable)
    return (
      <p>
        <State tone="quiet">{`suggestion for ${lines} is outdated`}</State>
      </p>
    );
  if (!mayApply) return null;
  return (
    <>
      {apply.error && <Problem error={apply.error} />}
      <div className={styles.actions}>
        <Button
          busy={apply.isPending}
          onClick={() => apply.mutate(undefined, { onSuccess: () => onSaid('Suggestion applied.') })}
        >
          {`Apply suggestion for ${lines}`}
        </Button>
      </div>
    </>
  );
}
