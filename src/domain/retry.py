"""Whether, and when, an item whose handler failed is tried again."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class NoRetry:
    """A handler's failure fails the item at once: the default of every kind."""


NO_RETRY = NoRetry()


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double from `first` to at most `longest`, each shortened by up to `jitter` of itself.

    Doubling with jitter is "equal jitter" with a smaller random part (Brooker, "Exponential Backoff
    And Jitter", 2015): tries spread out, and none comes before (1 - jitter) of its wait.
    """

    max_retries: int
    first: timedelta = timedelta(seconds=30)
    longest: timedelta = timedelta(minutes=15)
    jitter: float = 0.2

    def wait_before(self, retry: int, *, chance: float) -> timedelta:
        """The wait before the `retry`-th retry (from 1). `chance` is a random number in [0, 1)."""
        doublings: int = 2 ** min(retry - 1, 32)
        full = min(self.first * doublings, self.longest)
        return full * (1 - self.jitter * chance)


RetryPolicy = NoRetry | Backoff


def max_retries(policy: RetryPolicy) -> int:
    """How often a failure is tried again at most."""
    match policy:
        case Backoff(max_retries=most):
            return most
        case NoRetry():
            return 0


@dataclass(frozen=True, slots=True)
class RetryAfter:
    """Try again after this long."""

    wait: timedelta


@dataclass(frozen=True, slots=True)
class GiveUp:
    """No retry is left, or the kind has none."""


def next_try(policy: RetryPolicy, retries: int, *, chance: float) -> RetryAfter | GiveUp:
    """What follows a failure of an item that has been retried `retries` times already."""
    match policy:
        case Backoff(max_retries=most) if retries < most:
            return RetryAfter(policy.wait_before(retries + 1, chance=chance))
        case Backoff() | NoRetry():
            return GiveUp()
