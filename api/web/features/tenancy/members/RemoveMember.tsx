import type { Container } from '../../../data/containers.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { useRemoveMember } from './queries.js';
import type { Member } from './queries.js';

interface RemoveMemberProps {
  container: Container;
  member: Member;
  /** The member is the current user. */
  leaves: boolean;
  onClose: () => void;
  onDone: (said: string) => void;
}

/** Asks for confirmation before a member is removed or leaves. */
export function RemoveMember({ container, member, leaves, onClose, onDone }: RemoveMemberProps) {
  const removal = useRemoveMember(container);
  return (
    <Confirm
      title={leaves ? `Leave this ${container.kind}?` : `Remove ${member.name}?`}
      does={leaves ? 'Leave' : 'Remove'}
      danger
      busy={removal.isPending}
      problem={removal.error}
      onConfirm={() =>
        removal.mutate(member.id, {
          onSuccess: () => onDone(leaves ? 'You left.' : `${member.name} is no member any more.`),
        })
      }
      onClose={onClose}
    >
      <p>
        {leaves ? 'You lose' : `${member.name} loses`} the rights that the role gave. Schedules of which they are the
        owner fail from then on, until somebody takes them over.
      </p>
    </Confirm>
  );
}
