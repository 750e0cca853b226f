"""The mechanisms, each a pair of output distributions: P under one database, Q under its neighbour.

The parameters of a mechanism carry an index: ``epsilon_0`` and ``delta_0``, as in the sources;
``mechanism.delta(epsilon)`` and ``mechanism.epsilon(delta)`` are the curve that it achieves.
Parameters are exact numbers, or SymPy expressions with variables for closed forms.

>>> RandomisedResponse("log(3)", "1/100").epsilon_0
log(3)
>>> Laplace(scale=2, sensitivity=3).epsilon_0
3/2
"""

from __future__ import annotations

from symdp.privacy.mechanisms.finite_laws.exponential import ChosenByScore, ExponentialMechanism
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.kary_response import KaryResponse
from symdp.privacy.mechanisms.finite_laws.loss_distribution import LossDistribution
from symdp.privacy.mechanisms.finite_laws.mixed import Mixed
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.discrete_gaussian import DiscreteGaussian
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.geometric import Geometric
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.mechanisms.noise.staircase import Staircase
from symdp.privacy.mechanisms.noise.truncated_gaussian import TruncatedGaussian
from symdp.privacy.mechanisms.noise.truncated_laplace import TruncatedLaplace
from symdp.privacy.mechanisms.sampled.gaussian_without_replacement import GaussianWithoutReplacement
from symdp.privacy.mechanisms.sampled.laplace_without_replacement import LaplaceWithoutReplacement
from symdp.privacy.pairs.pair import Mechanism

__all__ = ["ChosenByScore", "DiscreteGaussian", "ExponentialMechanism", "FinitePair", "Gaussian",
           "GaussianWithoutReplacement",
           "Geometric", "KaryResponse", "Laplace", "LaplaceWithoutReplacement", "LossDistribution", "Mechanism",
           "Mixed", "RandomisedResponse", "Staircase", "TruncatedGaussian", "TruncatedLaplace"]
