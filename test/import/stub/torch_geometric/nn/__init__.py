"""Layers, pooling and ready models under the names of PyTorch Geometric."""
from .conv import (APPNP, FastRGCNConv, GATConv, GATv2Conv, GCNConv, GINConv, GraphConv, MessagePassing, NNConv, RGCNConv,  # noqa: F401
                   SAGEConv, SGConv, TAGConv, TransformerConv)
from .hetero import HANConv, HeteroConv, HGTConv  # noqa: F401
from .models import GAT, GCN, GIN, MLP, GraphSAGE, JumpingKnowledge  # noqa: F401
from .norm import BatchNorm, GraphNorm, LayerNorm, PairNorm  # noqa: F401
from .pool import TopKPooling, global_add_pool, global_max_pool, global_mean_pool  # noqa: F401
