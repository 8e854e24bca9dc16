"""Work on many machines by way of Dask Distributed, which is an extra: `pip install 'faceup[cluster]'`."""

from faceup.cluster.connecting import Cluster, connect

__all__ = ["Cluster", "connect"]
