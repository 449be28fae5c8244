"""Layers, pooling and ready models under the names of PyTorch Geometric."""
from .aggr import GRUAggregation, LSTMAggregation, MedianAggregation, MulAggregation, QuantileAggregation, SortAggregation  # noqa: F401
from .conv import (APPNP, FastRGCNConv, GATConv, GATv2Conv, GCNConv, GINConv, GraphConv, MessagePassing, MFConv, NNConv,  # noqa: F401
                   RGCNConv, SAGEConv, SGConv, TAGConv, TransformerConv)
from .hetero import HANConv, HeteroConv, HGTConv  # noqa: F401
from .models import GAT, GCN, GIN, MLP, GraphSAGE, JumpingKnowledge, LightGCN  # noqa: F401
from .near import DynamicEdgeConv, GravNetConv, XConv, knn_interpolate  # noqa: F401
from .norm import BatchNorm, GraphNorm, LayerNorm, PairNorm  # noqa: F401
from .pool import (EdgePooling, SAGPooling, TopKPooling, global_add_pool, global_max_pool, global_mean_pool, knn_graph,  # noqa: F401
                   radius_graph)
from .sets import ASAPooling, MemPooling, MLPAggregation, SetTransformerAggregation  # noqa: F401
from .types import FiLMConv, HeteroLinear  # noqa: F401
