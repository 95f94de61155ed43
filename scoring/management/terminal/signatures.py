"""The sentence that the command line prints about a valid signature."""

from scoring.transfer.signatures import Signature, signer_of


def said_of(signature: Signature | None) -> str:
    """Whether a file was signed, and by whom; the signature was checked."""
    if signature is None:
        return "it is not signed: nobody says whose it is"
    who = signer_of(signature)
    if who is None:
        return f"intact; signed with key {signature.key}, which nobody wrote down here"
    return f"intact; signed by {who} (key {signature.key})"
